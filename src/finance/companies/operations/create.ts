import { fail } from '../../../core/errors.ts';
import { text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { address } from '../../schema.ts';
import { insertCompany, lockCompanyDocuments } from '../queries.ts';
import { companyOf, findCompanyByDocument, findHeadOffice, requireCompany } from '../resource.ts';
import { requireCnpj } from '../rules.ts';
import { companySchema } from '../schema.ts';

export const createCompany = operation({
  name: 'finance_companies_create',
  title: 'Create company',
  summary: 'Add a company. One with the CNPJ root of a company that is there already becomes its branch.',
  effect: 'write',
  scope: 'finance.companies',
  input: {
    document_number: text(30).describe('CNPJ; letters are kept.'),
    legal_name: text(200).describe('Registered name.'),
    trade_name: text(200).optional(),
    state_registration: text(30).optional(),
    address: address.optional(),
  },
  output: companySchema,
  async run(input, context) {
    const { db, workspaceId } = context;
    const documentNumber = requireCnpj(input.document_number);
    await lockCompanyDocuments(db, workspaceId);
    const known = await findCompanyByDocument(context, documentNumber);
    if (known !== undefined) fail('duplicate', { kind: 'company', of: known.id });
    const id = context.newId();
    await insertCompany(
      db,
      {
        workspace_id: workspaceId,
        id,
        document_number: documentNumber,
        legal_name: input.legal_name,
        trade_name: input.trade_name ?? null,
        parent_id: (await findHeadOffice(context, documentNumber))?.id ?? null,
        state_registration: input.state_registration ?? null,
        address: input.address ?? null,
        created_by: context.caller.user.id,
      },
      context.now,
    );
    const company = companyOf(await requireCompany(context, id));
    context.changed('company', id, null, company);
    return company;
  },
});
