import { z } from 'zod';
import { attempt } from '../../../core/attempt.ts';
import { digestOf } from '../../../core/digest.ts';
import { failArgument } from '../../../core/errors.ts';
import { ours, outside } from '../../../core/facts.ts';
import { id, instant } from '../../../core/fields.ts';
import { type Context, type InputOf, operation } from '../../../core/operation.ts';
import { planSearch } from '../../../db/search.ts';
import { cleanText } from '../../../finance/schema.ts';
import { archivePerson, prepareArchive } from '../archiving.ts';
import { selectArchivable, selectPersonIds } from '../queries.ts';

const IDS_MAX = 200;
const DIGEST_SHOWN = 16;
const NAMES_SHOWN = 5;

const which = {
  ids: z
    .array(id('the debtor'), { error: `a list of 1 to ${IDS_MAX} ids` })
    .min(1, { error: 'at least one id' })
    .max(IDS_MAX, { error: `at most ${IDS_MAX} ids` })
    .optional()
    .describe('Which ones; or `filter`.'),
  filter: z
    .strictObject({
      search: cleanText(100).optional(),
      tag: cleanText(50).optional(),
      has_open: z.boolean().optional(),
      created_to: instant().optional(),
      updated_to: instant().optional(),
    })
    .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
      error: 'at least one condition',
    })
    .optional()
    .describe(`Which ones, at most ${IDS_MAX}; or \`ids\`.`),
};

export const archivePeople = operation({
  name: 'dunning_people_bulk_archive',
  title: 'Archive debtors',
  titlePortuguese: 'Arquivar devedores',
  summary: 'Put away many debtors who owe nothing; those who still owe come back in `failed`.',
  effect: 'destructive',
  scope: 'dunning.people',
  hints: { idempotent: true },
  dryRun: true,
  input: which,
  output: z.object({
    requested: z.int(),
    succeeded: z.array(z.string()).describe('Ids.'),
    failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
  async question(input, context) {
    const ids = await idsOf(input, context);
    const fit = await selectArchivable(context.db, context.organizationId, ids);
    // A yes that could do nothing is not asked for: the first one says why.
    if (fit.length === 0) await prepareArchive(context, ids[0]!);
    const named = fit.slice(0, NAMES_SHOWN).map(({ name }) => name);
    return [
      ours('count', 'Devedores', 'Debtors', String(fit.length)),
      outside('names', 'Entre eles', 'Among them', named.join(', ')),
      ours(
        'left_out',
        'Ficam de fora, por débito em aberto',
        'Left out, as they still owe',
        String(ids.length - fit.length),
      ),
      // Binds the very debtors that a filter found: when it finds others later, the person is asked anew.
      ours('list', 'Lista (SHA-256)', 'List (SHA-256)', digestOf(ids).slice(0, DIGEST_SHOWN)),
    ];
  },
  async run(input, context) {
    const ids = await idsOf(input, context);
    const succeeded = [];
    const failed = [];
    for (const [index, personId] of ids.entries()) {
      const tried = await attempt(context, (inner) => archivePerson(inner, personId));
      if ('value' in tried) succeeded.push(personId);
      else failed.push({ id: personId, code: tried.error.code, message: tried.error.message });
      context.progress({ done: index + 1, total: ids.length });
    }
    return { requested: ids.length, succeeded, failed };
  },
});

/** In order of the ids, so that two calls lock the same debtors in the same order. */
async function idsOf({ ids, filter }: InputOf<typeof which>, context: Context): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) failArgument('ids', 'either `ids` or `filter`');
  if (ids !== undefined) return [...new Set(ids)].sort();
  const { db, organizationId, today } = context;
  const { search, ...conditions } = filter!;
  const found = await selectPersonIds(
    db,
    organizationId,
    {
      ...conditions,
      search: search === undefined ? undefined : await planSearch(db, organizationId, 'd', search),
      archived: false,
    },
    today,
    IDS_MAX + 1,
  );
  if (found.length === 0) failArgument('filter', 'a filter that finds somebody');
  if (found.length > IDS_MAX) {
    failArgument('filter', `a filter of at most ${IDS_MAX} debtors: narrow it and repeat for the rest`);
  }
  return found;
}
