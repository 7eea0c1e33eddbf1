/** Answers rich enough to look at, one for each page; a test holds them to the schemas of the tools they stand for. */

const money = (value: number): string => value.toFixed(2);

function flowOf(inflow: number, outflow: number) {
  return {
    inflow: money(inflow),
    outflow: money(outflow),
    net: money(inflow - outflow),
    inflow_count: inflow > 0 ? 3 : 0,
    outflow_count: outflow > 0 ? 5 : 0,
  };
}

function cashFlow() {
  const moves = [
    [42_000, 18_500],
    [12_800.55, 31_200],
    [9_100, 44_750.1],
    [38_400, 12_000],
    [0, 27_300],
    [51_200, 8_900],
    [22_000, 19_400],
    [16_750, 13_020.3],
    [30_500, 21_000],
  ] as const;
  let balance = 35_120.4;
  const buckets = moves.map(([inflow, outflow], index) => {
    balance += inflow - outflow;
    const from = new Date(Date.UTC(2026, 6, 6 + 7 * index));
    const to = new Date(from.getTime() + 6 * 86_400_000);
    return {
      from: from.toISOString().slice(0, 10),
      to: to.toISOString().slice(0, 10),
      ...flowOf(inflow, outflow),
      balance: money(balance),
    };
  });
  return {
    as_of: '2026-07-06',
    currency: 'BRL',
    filter: { until: '2026-09-06', company_id: null, bucket: 'week', include_overdue: true },
    balance_today: { amount: '35120.40', accounts: 2 },
    overdue: { ...flowOf(4_310, 1_250.9), included: true },
    buckets,
    total: flowOf(222_750.55, 196_070.4),
    balance_end: money(balance),
    lowest: { date: '2026-08-07', balance: '3569.85' },
  };
}

const bands = [
  [1, 30],
  [31, 60],
  [61, 90],
  [91, 180],
  [181, null],
] as const;
const sums = [18_400.5, 9_210, 4_875.25, 2_300, 12_990] as const;

function aging() {
  const bandsOut = bands.map(([from, to], index) => ({
    from_days: from,
    to_days: to,
    amount: money(sums[index]!),
    count: 4 + index,
  }));
  const parts = {
    not_yet_due: { amount: '52310.00', count: 31 },
    overdue: { amount: '47775.75', count: 30 },
    total: { amount: '100085.75', count: 61 },
    bands: bandsOut,
  };
  return {
    as_of: '2026-07-06',
    currency: 'BRL',
    filter: {
      kind: 'receivables',
      as_of: '2026-07-06',
      bands: [30, 60, 90, 180],
      group_by: 'person',
    },
    ...parts,
    groups: [
      { id: 'a', name: 'Padaria Três Irmãos <b>& Filhos</b>', ...parts },
      { id: 'b', name: 'Oficina do Zé', ...parts },
    ],
    groups_count: 2,
  };
}

function portfolio() {
  const part = (amount: number, charges: number) => ({
    charges,
    open_principal: money(amount),
    amount_due: money(amount * 1.05),
  });
  const parts = {
    not_yet_due: part(81_200, 40),
    overdue: part(47_775.75, 30),
    total: part(128_975.75, 70),
    bands: bands.map(([from, to], index) => ({
      from_days: from,
      to_days: to,
      ...part(sums[index]!, 4 + index),
    })),
  };
  return {
    as_of: '2026-07-06',
    currency: 'BRL',
    filter: { bands: [30, 60, 90, 180], group_by: 'state' },
    ...parts,
    groups: [
      { key: 'SP', name: 'SP', ...parts },
      { key: null, name: null, ...parts },
    ],
    groups_count: 2,
  };
}

function recovery() {
  const months = ['2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07'];
  const mean = { days: '17.4', principal: '88100.00' };
  return {
    as_of: '2026-07-06',
    currency: 'BRL',
    filter: { months: 6, from: '2026-02-01', to: '2026-07-06', person_id: null },
    recovered: { amount: '88100.00', payments: 214 },
    still_overdue: { amount: '47775.75', charges: 30, installments: 4 },
    recovery_rate: { percent: '64.84', recovered: '88100.00', recovered_and_overdue: '135875.75' },
    average_days_overdue: mean,
    average_steps: { steps: '2.3', steps_total: 492, first_payments: 214 },
    by_month: months.map((month, index) => ({
      month,
      is_partial: index === months.length - 1,
      amount: money(9_000 + 2_750.5 * index),
      payments: 20 + index,
      average_days_overdue: mean,
    })),
    by_method: [{ method: 'pix', amount: '88100.00', payments: 214, percent: '100.00' }],
    by_channel: [
      { channel: 'whatsapp', amount: '51200.00', payments: 120, percent: '58.12' },
      { channel: 'email', amount: '30100.00', payments: 80, percent: '34.17' },
      { channel: 'none', amount: '6800.00', payments: 14, percent: '7.72' },
    ],
  };
}

function approval() {
  return {
    id: '0192f0a1-7b1c-7c3d-8e4f-0123456789ab',
    product: 'finance',
    workspace_id: '0192f0a1-0000-7000-8000-000000000000',
    status: 'pending',
    reason: 'client_cannot_ask',
    operation: 'finance_payables_send_to_bank',
    arguments: { id: '0192f0a1-7b1c-7c3d-8e4f-0123456789ac' },
    question:
      'Enviar pagamento ao banco?\n\nFornecedor: «Papelaria <img src=x onerror=alert(1)>»\nValor: R$ 1.250,90',
    amount: '1250.90',
    requested_by: { user_id: 'u', name: 'Pessoa do Financeiro' },
    client_id: 'client',
    client_name: 'Client',
    surface: 'mcp',
    requested_at: '2026-07-06T12:00:00Z',
    expires_at: '2026-07-07T12:00:00Z',
    decided_by: null,
    decided_at: null,
    decided_with: null,
    decline_reason: null,
    answer: null,
    error: null,
    console_url: 'http://127.0.0.1:3000/console/approvals/0192f0a1-7b1c-7c3d-8e4f-0123456789ab',
  };
}

/** The tool and an answer of it, by the page that shows it. */
export const panelAnswers: Readonly<Record<string, { readonly tool: string; readonly answer: any }>> = {
  'ui://finance/cash-flow': { tool: 'finance_reports_cash_flow', answer: cashFlow() },
  'ui://finance/aging': { tool: 'finance_reports_aging', answer: aging() },
  'ui://finance/approval': { tool: 'finance_approvals_get', answer: approval() },
  'ui://dunning/recovery': { tool: 'dunning_metrics_recovery', answer: recovery() },
  'ui://dunning/aging': { tool: 'dunning_metrics_aging', answer: portfolio() },
};
