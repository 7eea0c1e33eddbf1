/** Offices that take everything and answer what a test puts into their mouth. */

import type { BureauAnswer, BureauPort } from '../../src/gateways/bureau/port.ts';
import type { NotaryAnswer, NotaryPort } from '../../src/gateways/notary/port.ts';
import type { OfficeAnswer, OfficeRequest } from '../../src/gateways/office/port.ts';

export interface Script<Answer extends OfficeAnswer> {
  /** What was asked, oldest first. */
  readonly asked: { command: string; request: OfficeRequest }[];
  /** Told at every collection from now on. */
  tell(answer: Pick<Answer, 'key' | 'at'> & Partial<Answer>): void;
  /** The key of the newest request of this command. */
  keyOf(command: string): string;
}

export function scriptedBureau(): BureauPort & Script<BureauAnswer> {
  const { script, take, collect } = scripted<BureauAnswer>({ status: 'registered' });
  return {
    ...script,
    name: 'scripted',
    register: async (request) => take('register', request),
    remove: async (request) => take('remove', request),
    find: async () => ({ state: 'unknowable' }),
    collect,
  };
}

export function scriptedNotary(): NotaryPort & Script<NotaryAnswer> {
  const nothing = { notary: null, protocol: null, noticeKind: null, paidAmount: null, costs: null };
  const { script, take, collect } = scripted<NotaryAnswer>({ ...nothing, status: 'protocoled', on: '' });
  return {
    ...script,
    name: 'scripted',
    send: async (request) => take('send', request),
    withdraw: async (request) => take('withdraw', request),
    authorizeCancellation: async (request) => take('authorize_cancellation', request),
    find: async () => ({ state: 'unknowable' }),
    collect,
  };
}

function scripted<Answer extends OfficeAnswer>(usual: Omit<Answer, keyof OfficeAnswer>) {
  const asked: { command: string; request: OfficeRequest }[] = [];
  const told: Answer[] = [];
  const script: Script<Answer> = {
    asked,
    tell(answer) {
      const head = { reportId: `r${told.length + 1}`, reference: null, reason: null };
      told.push({ ...usual, ...head, ...answer } as Answer);
    },
    keyOf: (command) => asked.findLast((one) => one.command === command)!.request.key,
  };
  return {
    script,
    take(command: string, request: OfficeRequest) {
      asked.push({ command, request });
      return { reference: null };
    },
    collect: async () => ({ answers: [...told], forget: async () => undefined }),
  };
}
