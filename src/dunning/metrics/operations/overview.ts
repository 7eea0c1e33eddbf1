import { id, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { amountDueSql } from '../../charges/index.ts';
import { requirePerson } from '../../people/index.ts';
import { settingsOf } from '../../settings/index.ts';
import { selectInForce, selectPortfolio } from '../queries.ts';
import { whileBooksStay } from '../remembering.ts';
import { openOf } from '../resource.ts';
import { added } from '../rules.ts';
import { overviewSchema } from '../schema.ts';

export const overviewMetrics = operation({
  name: 'dunning_metrics_overview',
  title: 'Portfolio overview',
  summary: 'The portfolio today: open, overdue, in agreement, disputed and in legal action.',
  effect: 'read',
  scope: 'dunning.metrics',
  input: { person_id: id('the debtor').optional() },
  output: overviewSchema,
  async run(input, context) {
    const { db, organizationId, today } = context;
    const personId = input.person_id;
    if (personId !== undefined) await requirePerson(context, personId);
    const settings = await settingsOf(context);
    const amountDue = amountDueSql('c', today, settings);
    const key = ['overview', personId, settings.interestFrom];
    const { rows, inForce } = await whileBooksStay(context, key, async () => ({
      rows: await selectPortfolio(db, organizationId, { today, personId, amountDue }),
      inForce: await selectInForce(db, organizationId, { today, personId }),
    }));
    const open = rows.filter(({ part }) => part !== 'in_agreement');
    const inAgreement = openOf(rows.filter(({ part }) => part === 'in_agreement'));
    const ofKind = (kind: string) => open.filter(({ legal_kind }) => legal_kind === kind);
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: { person_id: personId ?? null },
      open: openOf(open),
      not_yet_due: openOf(open.filter(({ part }) => part === 'not_yet_due')),
      overdue: openOf(open.filter(({ part }) => part === 'overdue')),
      in_agreement: {
        charges: inAgreement.charges,
        open_principal: inAgreement.open_principal,
        agreements: inForce.agreements,
        installments_open: moneyText(inForce.open_cents),
        installments_overdue: moneyText(inForce.overdue_cents),
      },
      disputed: openOf(open.filter(({ is_disputed }) => is_disputed)),
      in_legal_action: {
        ...openOf(open.filter(({ legal_kind }) => legal_kind !== null)),
        negativations: added(ofKind('negativation'), ({ charges }) => charges),
        protests: added(ofKind('protest'), ({ charges }) => charges),
      },
    };
  },
});
