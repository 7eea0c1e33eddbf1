/** What the database says after a step: the records to choose from, and everything that must not be. */

import type { WriteContext } from '../../src/core/operation.ts';

export interface DebtState {
  readonly id: string;
  readonly kind: 'payable' | 'receivable';
  readonly company_id: string;
  readonly person_id: string;
  readonly status: string;
  readonly amount: number;
  readonly open: number;
  readonly approval_status: string | null;
  /** Everything that an approval is about. */
  readonly approved_as: string;
}

export interface EntryState {
  readonly id: string;
  readonly account_id: string;
  readonly direction: 'credit' | 'debit';
  readonly amount: number;
  readonly rest: number;
  readonly source: string;
  readonly ignored: boolean;
  readonly transfer_id: string | null;
  readonly end_to_end_id: string | null;
}

export interface SettlementState {
  readonly id: string;
  readonly kind: 'payable' | 'receivable';
  readonly debt_id: string;
  readonly account_id: string;
  readonly cash: number;
}

interface Order {
  readonly id: string;
  readonly status: string;
}

export interface State {
  readonly debts: readonly DebtState[];
  readonly entries: readonly EntryState[];
  /** Effective ones. */
  readonly settlements: readonly SettlementState[];
  /** Active ones. */
  readonly reconciliations: readonly string[];
  readonly payments: readonly Order[];
  readonly charges: readonly (Order & { readonly amount: number; readonly receivable_id: string })[];
  readonly transfers: readonly (Order & {
    readonly from: string;
    readonly to: string;
    readonly amount: number;
  })[];
  /** Book balances, by account. */
  readonly balances: Readonly<Record<string, number>>;
  /** Documents that look the same, as `id/id`. */
  readonly lookalikes: readonly string[];
}

type At = Pick<WriteContext, 'db' | 'workspaceId'>;

const all = (from: string, columns: string, where = 'true') => `
  (select coalesce(jsonb_agg(to_jsonb(row) order by row.id), '[]')
     from (select ${columns} from ${from} where workspace_id = $1 and ${where}) row)`;

const approvedAs = [
  'amount_cents',
  'abatement_cents',
  'withholdings',
  'person_id',
  'terms',
  'payment_details',
];

const stateSql = `
  select jsonb_build_object(
    'debts', ${all('payables', `id, 'payable' as kind, company_id, person_id, status, amount_cents as amount, open_cents as open, approval_status, jsonb_build_array(${approvedAs})::text as approved_as`)}
          || ${all('receivables', `id, 'receivable' as kind, company_id, person_id, status, amount_cents as amount, open_cents as open`)},
    'entries', ${all('financial_transactions', 'id, account_id, direction, amount_cents as amount, amount_cents - reconciled_cents as rest, source, ignored, transfer_id, end_to_end_id')},
    'settlements', ${all(
      'settlements',
      `id, case when payable_id is null then 'receivable' else 'payable' end as kind,
       coalesce(payable_id, receivable_id) as debt_id, account_id, amount_cents - fee_cents as cash`,
      "status = 'effective'",
    )},
    'reconciliations', (select coalesce(jsonb_agg(id order by id), '[]') from reconciliations where workspace_id = $1 and status = 'active'),
    'payments', ${all('payments', 'id, status')},
    'charges', ${all('charges', 'id, status, receivable_id, amount_cents as amount')},
    'transfers', ${all('transfers', 'id, status, from_account_id as "from", to_account_id as "to", amount_cents as amount')},
    'balances', (select jsonb_object_agg(id, opening_balance_cents + coalesce((
        select sum(case direction when 'credit' then amount_cents else -amount_cents end)
          from financial_transactions entry
         where entry.workspace_id = $1 and entry.account_id = account.id and not entry.ignored), 0))
        from financial_accounts account where workspace_id = $1),
    'lookalikes', (select coalesce(jsonb_agg(pair order by pair), '[]') from (
      ${['payables', 'receivables']
        .map(
          (table) => `
      select one.id || '/' || other.id as pair from ${table} one join ${table} other
          on other.workspace_id = $1 and other.id > one.id
         and (other.person_id = one.person_id and other.document_number = one.document_number
              and other.series is not distinct from one.series and other.amount_cents = one.amount_cents
              ${table === 'payables' ? "or other.payment_details->>'barcode' = one.payment_details->>'barcode'" : ''})
       where one.workspace_id = $1 and one.status <> 'canceled' and other.status <> 'canceled'`,
        )
        .join(' union all ')}) pairs)) as state`;

export async function stateOf({ db, workspaceId }: At): Promise<State> {
  const row = await db.row<{ state: State }>({ text: stateSql, values: [workspaceId] });
  return row!.state;
}

/** Each row is one breach: the number of the invariant of MODEL §14, the record, and what is wrong with it. */
const breachesSql = `
  with effective as (
    select coalesce(payable_id, receivable_id) as debt_id, count(*) as number, sum(principal_cents) as principal
      from settlements where workspace_id = $1 and status = 'effective' group by 1
  ), debt as (
    select d.*, d.amount_cents - d.abatement_cents - d.withheld_cents as base,
           coalesce(e.number, 0) as number, coalesce(e.principal, 0) as principal
      from (
        select id, status, amount_cents, abatement_cents, withheld_cents, settled_cents, open_cents, 0 as lost
          from payables where workspace_id = $1
        union all
        select id, status, amount_cents, abatement_cents, withheld_cents, settled_cents, open_cents, written_off_cents
          from receivables where workspace_id = $1
      ) d left join effective e on e.debt_id = d.id
  ), link as (
    select l.* from reconciliation_transactions l join reconciliations r on r.workspace_id = $1 and r.id = l.reconciliation_id
     where l.workspace_id = $1 and r.status = 'active'
  ), document as (
    select d.*, r.direction from reconciliation_documents d
      join reconciliations r on r.workspace_id = $1 and r.id = d.reconciliation_id
     where d.workspace_id = $1 and r.status = 'active'
  ), entry as (
    select * from financial_transactions where workspace_id = $1
  ), live as (
    select * from payments where workspace_id = $1
       and status in ('pending', 'awaiting_approval', 'awaiting_funds', 'scheduled', 'processing')
  )
  select 1 as invariant, id, 'open is not what is left' as what from debt
   where open_cents <> base - principal - lost or open_cents < 0
  union all
  select 1, id, 'is ' || status || ' with ' || number || ' settlements and ' || open_cents || ' open' from debt
   where status <> case when status in ('draft', 'canceled') and number = 0 and lost = 0 then status
                        when lost > 0 then 'written_off' when open_cents = 0 then 'paid'
                        when number > 0 then 'partially_paid' else 'open' end
  union all
  select 2, id, 'more is settled than is owed, or another sum is kept' from debt
   where principal > base or settled_cents <> principal
  union all
  select 2, id, 'parts that are no parts of the amount' from settlements where workspace_id = $1
     and (amount_cents <> principal_cents - discount_cents + interest_cents + fine_cents or discount_cents > principal_cents
          or fee_cents > amount_cents or least(principal_cents, discount_cents, interest_cents, fine_cents, fee_cents) < 0)
  union all
  select 3, entry.id, 'reconciled is not what is linked, or more than there is' from entry
    left join (select transaction_id, sum(amount_cents) as cents from link group by 1) l on l.transaction_id = entry.id
   where entry.reconciled_cents <> coalesce(l.cents, 0) or entry.reconciled_cents > entry.amount_cents
  union all
  select 3, entry.id, 'a line is tied to what it cannot have paid' from link
    join entry on entry.id = link.transaction_id
    join document d on d.reconciliation_id = link.reconciliation_id
    left join settlements s on s.workspace_id = $1 and s.id = d.settlement_id
    left join transfers t on t.workspace_id = $1 and d.kind = 'transfer' and t.id = d.document_id
   where entry.ignored or entry.direction <> d.direction
      or entry.direction <> case when d.kind <> 'transfer' then case when s.payable_id is null then 'credit' else 'debit' end
                                 when t.from_account_id = entry.account_id then 'debit' else 'credit' end
  union all
  select 4, r.id, 'the sides differ' from reconciliations r where r.workspace_id = $1
     and (r.total_cents <> (select sum(amount_cents) from reconciliation_transactions l
                             where l.workspace_id = $1 and l.reconciliation_id = r.id)
       or r.total_cents <> (select sum(amount_cents) from reconciliation_documents d
                             where d.workspace_id = $1 and d.reconciliation_id = r.id))
  union all
  select 4, d.reconciliation_id, 'a document is not the money of its settlement' from document d
    left join settlements s on s.workspace_id = $1 and s.id = d.settlement_id
    left join transfers t on t.workspace_id = $1 and d.kind = 'transfer' and t.id = d.document_id
   where d.amount_cents is distinct from case when d.kind = 'transfer' then t.amount_cents
         else s.principal_cents - s.discount_cents + s.interest_cents + s.fine_cents - s.fee_cents end
      or (d.kind = 'transfer') <> (t.status is not distinct from 'confirmed')
      or (d.kind <> 'transfer') <> (s.status is not distinct from 'effective')
  union all
  select 4, settlement_id, 'is reconciled twice' from document where settlement_id is not null
   group by settlement_id having count(*) > 1
  union all
  select 6, s.id, 'its money is not in the books exactly once' from settlements s
    left join document d on d.settlement_id = s.id
    left join entry own on own.id = coalesce(d.superseded_transaction_id, case when d.settlement_id is null then s.transaction_id end)
   where s.workspace_id = $1 and s.status = 'effective'
     and not case when d.settlement_id is null and s.amount_cents = s.fee_cents then own.id is null
                  when d.made_settlement then own.id is null
                  else own.amount_cents = s.amount_cents - s.fee_cents and own.account_id = s.account_id
                   and own.direction = case when s.payable_id is null then 'credit' else 'debit' end
                   and own.ignored = (d.settlement_id is not null) end
  union all
  select 6, entry.id, 'an entry of a settlement that does not count' from entry
   where source = 'settlement' and not ignored
     and 1 <> (select count(*) from settlements s where s.workspace_id = $1 and s.transaction_id = entry.id and s.status = 'effective')
  union all
  select 6, entry.id, 'superseded by nothing that is reconciled' from entry
   where superseded_by is not null
     and (not ignored or not exists (select 1 from document where superseded_transaction_id = entry.id))
  union all
  select 6, t.id, 'its two sides are not the same money on its two accounts' from transfers t
    left join entry d on d.id = t.debit_transaction_id
    left join entry c on c.id = t.credit_transaction_id
   where t.workspace_id = $1
     and not case when t.status = 'confirmed'
       then d.amount_cents = t.amount_cents and c.amount_cents = t.amount_cents
        and d.account_id = t.from_account_id and c.account_id = t.to_account_id
        and d.direction = 'debit' and c.direction = 'credit' and not d.ignored and not c.ignored
        and d.transfer_id = t.id and c.transfer_id = t.id
       else d.id is null and c.id is null end
  union all
  select 6, entry.id, 'a leg of no transfer' from entry
   where transfer_id is not null and not ignored
     and not exists (select 1 from transfers t where t.workspace_id = $1 and t.id = entry.transfer_id
                        and entry.id in (t.debit_transaction_id, t.credit_transaction_id))
  union all
  select 8, payable_id, 'two live orders' from live group by payable_id having count(*) > 1
  union all
  select 8, live.id, 'an order for what nobody owes' from live join debt on debt.id = live.payable_id
   where debt.status not in ('open', 'partially_paid')
  union all
  select 8, receivable_id, 'two live charges' from charges
   where workspace_id = $1 and status in ('generating', 'open') group by receivable_id having count(*) > 1
  union all
  select 8, null, 'a confirmed order is not booked once' where (
      select count(*) from payments where workspace_id = $1 and status = 'confirmed')
    <> (select count(*) from entry where source = 'payment' and direction = 'debit')
  union all
  select 8, coalesce(payment_id, charge_id), 'settled twice by one order or charge' from settlements
   where workspace_id = $1 and status = 'effective' and num_nonnulls(payment_id, charge_id) = 1
   group by payment_id, charge_id having count(*) > 1
  union all
  select 8, null, 'one payment is in the books twice' from (
      select account_id, external_id from settlements
       where workspace_id = $1 and status = 'effective' and external_id is not null
      union all
      select charge.account_id, again.external_id from duplicate_receipts again
        join charges charge on charge.workspace_id = $1 and charge.id = again.charge_id
       where again.workspace_id = $1) told
   group by account_id, external_id having count(*) > 1
  union all
  select 11, p.id, 'is ' || p.approval_status || ' by ' || coalesce(p.approval_by::text, 'nobody') from payables p
    left join approval_settings s on s.workspace_id = $1 and s.company_id = p.company_id
   where p.workspace_id = $1
     and (p.approval_status = 'approved' and (p.approval_by is null or (s.require_second_person and p.approval_by = p.created_by))
       or p.approval_status = 'not_required' and p.amount_cents >= (s.thresholds->0->>'above')::bigint)
  union all
  select 11, p.id, 'is ordered without approval' from live join payables p on p.workspace_id = $1 and p.id = live.payable_id
   where p.approval_status in ('pending', 'rejected')`;

export async function breachesOf({ db, workspaceId }: At): Promise<unknown[]> {
  return db.rows({ text: breachesSql, values: [workspaceId] });
}

/** Every amount and tie, without times and versions, and without what was made and undone. */
const snapshotSql = [
  ['financial_transactions', 'true'],
  ['payables', 'true'],
  ['receivables', 'true'],
  ['settlements', "status = 'effective'"],
  ['transfers', "status <> 'canceled'"],
]
  .map(
    ([table, counts]) =>
      `select to_jsonb(row) - 'updated_at' - 'version' as row from ${table} row where workspace_id = $1 and ${counts}`,
  )
  .join(' union all ');

const linksSql = `
  union all
  select to_jsonb(l) from reconciliation_transactions l join reconciliations r on r.workspace_id = $1 and r.id = l.reconciliation_id
   where l.workspace_id = $1 and r.status = 'active'
  union all
  select to_jsonb(d) from reconciliation_documents d join reconciliations r on r.workspace_id = $1 and r.id = d.reconciliation_id
   where d.workspace_id = $1 and r.status = 'active'`;

export async function snapshotOf({ db, workspaceId }: At): Promise<string> {
  const text = `select jsonb_agg(row order by row)::text as books from (${snapshotSql} ${linksSql}) rows`;
  return (await db.row<{ books: string }>({ text, values: [workspaceId] }))!.books;
}

/**
 * All that is dated in closed months, as the books of those months say it. Which entry is the money of a settlement is
 * a matter of the books of its account, where the entries are compared; which charge it paid may be learned later.
 */
const closedDebt = (table: string) => `
  select jsonb_build_array(d.id, d.company_id, d.person_id, d.amount_cents, d.abatement_cents, d.withholdings, d.category_id,
                           d.cost_centers, d.issue_date, d.competence_month, d.status = 'canceled') as row
    from ${table} d join company on company.id = d.company_id
   where d.workspace_id = $1
     and (d.issue_date <= until or (d.competence_month || '-01')::date + interval '1 month - 1 day' <= until)`;

const closedBooksSql = `
  with company as (
    select id, books_closed_until as until from companies where workspace_id = $1 and books_closed_until is not null
  ), account as (
    select account.id, until from financial_accounts account join company on company.id = account.company_id
     where account.workspace_id = $1
  ), debt as (
    select id, company_id from payables where workspace_id = $1
    union all
    select id, company_id from receivables where workspace_id = $1
  )
  select jsonb_agg(row order by row)::text as books from (
    select to_jsonb(entry) - 'updated_at' - 'version' as row
      from financial_transactions entry join account on account.id = entry.account_id
     where entry.workspace_id = $1 and entry.date <= until
    union all
    select to_jsonb(s) - 'updated_at' - 'transaction_id' - 'charge_id' from settlements s
      join debt on debt.id = coalesce(s.payable_id, s.receivable_id)
     where s.workspace_id = $1
       and (exists (select 1 from account where account.id = s.account_id and s.paid_at <= until)
         or exists (select 1 from company where company.id = debt.company_id and s.paid_at <= until))
    union all ${closedDebt('payables')}
    union all ${closedDebt('receivables')}
    union all
    select jsonb_build_array(d.id, d.written_off_cents, d.write_off) from receivables d join company on company.id = d.company_id
     where d.workspace_id = $1 and (d.write_off->>'date')::date <= until
  ) rows`;

export async function closedBooksOf({ db, workspaceId }: At): Promise<string> {
  return (
    (await db.row<{ books: string | null }>({ text: closedBooksSql, values: [workspaceId] }))!.books ?? ''
  );
}
