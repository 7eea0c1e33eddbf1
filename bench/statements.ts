/** Rows of a page. */
export const PAGE = 20;

/**
 * The page of payables that every contestant reads: the columns of a line of `finance_payables_list`. The limit is part
 * of the text for all of them: as a value it makes the server plan every call anew.
 */
export const payablesPage = `
  select p.id, p.company_id, p.person_id, person.name as person_name, p.description, p.document_number,
         p.amount_cents, p.open_cents, p.due_date::text, p.planned_date::text, p.status,
         p.adjusted_due_date < current_date and p.status in ('open', 'partially_paid') as overdue, p.approval_status,
         p.installment_number, p.installment_total, p.category_id, p.needs_review, person.bank_details_changed_at,
         p.created_at, p.updated_at
    from payables p
    join people person on person.workspace_id = p.workspace_id and person.id = p.person_id
   where p.workspace_id = $1::uuid
   order by p.due_date, p.id
   limit ${PAGE}`;
