/** Payments as records show them. They belong to the slice of payments, and charges show them too. */

import { z } from 'zod';
import { moneyOut } from '../../core/fields.ts';

export const paymentMethods = ['boleto', 'pix', 'card', 'transfer', 'cash', 'notary', 'other'] as const;
export const paymentKinds = ['regular', 'duplicate', 'excess'] as const;
export const paymentStatuses = ['confirmed', 'reversed'] as const;
export const paymentSources = ['api', 'finance', 'notary', 'import'] as const;

export type PaymentMethod = (typeof paymentMethods)[number];
export type PaymentSource = (typeof paymentSources)[number];

export const paymentSchema = z
  .object({
    id: z.string(),
    person_id: z.string(),
    charge_id: z.string().nullable(),
    agreement_id: z.string().nullable(),
    installment_id: z.string().nullable(),
    amount: moneyOut().describe('principal - discount + interest + fine + excess.'),
    paid_at: z.string().describe("The debtor's day."),
    effective_on: z.string().describe('The day it counts from.'),
    credited_at: z.string().nullable(),
    method: z.enum(paymentMethods),
    fee: moneyOut().describe('Kept by the bank.'),
    allocation: z.object({
      principal: moneyOut(),
      discount: moneyOut(),
      interest: moneyOut(),
      fine: moneyOut(),
      excess: moneyOut().describe('Needed by nothing.'),
    }),
    kind: z.enum(paymentKinds),
    needs_refund: z.boolean(),
    status: z.enum(paymentStatuses),
    reversed_at: z.string().nullable(),
    reversed_reason: z.string().nullable(),
    external_id: z.string().nullable(),
    end_to_end_id: z.string().nullable(),
    payer: z.object({ name: z.string().nullable(), document_number: z.string().nullable() }).nullable(),
    attribution: z
      .object({
        channel: z.string().nullable(),
        notification_id: z.string().nullable(),
        step_id: z.string().nullable(),
      })
      .describe('The last message delivered in the seven days before.'),
    source: z.enum(paymentSources),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'payment', description: 'Money received from a debtor, and what it paid.' });

export type Payment = z.input<typeof paymentSchema>;
