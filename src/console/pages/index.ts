/** Every page of the console; to add one is to add its line. */

import type { Page, PublicPage } from '../page.ts';
import { approvals } from './approvals.ts';
import { approval, approvalDecline } from './approvals-one.ts';
import { cashFlow } from './cash-flow.ts';
import { connectionRevoke, connections } from './connections.ts';
import { sessionEnd, sessions } from './connections-sessions.ts';
import { dunning } from './dunning.ts';
import { dunningCharge } from './dunning-charge.ts';
import { dunningDebtor } from './dunning-debtor.ts';
import { home } from './home.ts';
import { invitation } from './invitation.ts';
import { passkeyRemove, passkeys, passkeysAnswer, passkeysQuestion, password } from './passkeys.ts';
import { payable, payables } from './payables.ts';
import { people, personInvite } from './people.ts';
import { person, personRemove } from './people-one.ts';
import { receivable, receivables } from './receivables.ts';
import {
  settings,
  settingsOrganization,
  settingsProfile,
  settingsSwitch,
  workspaceEdit,
  workspaceNew,
} from './settings.ts';
import { controls } from './settings-controls.ts';
import { passkeyAnswer, passkeyQuestion, signIn, signOut } from './sign-in.ts';
import { timeline, timelineExport, timelineVerify } from './timeline.ts';
import { tokenNew, tokenRevoke, tokens } from './tokens.ts';
import { verify, verifyAnswer, verifyQuestion } from './verify.ts';

export const pages: readonly (Page | PublicPage)[] = [
  home,
  payables,
  payable,
  receivables,
  receivable,
  cashFlow,
  dunning,
  dunningCharge,
  dunningDebtor,
  passkeyAnswer,
  passkeyQuestion,
  signIn,
  signOut,
  invitation,
  verify,
  verifyAnswer,
  verifyQuestion,
  passkeyRemove,
  passkeys,
  passkeysAnswer,
  passkeysQuestion,
  password,
  approvals,
  approval,
  approvalDecline,
  timeline,
  timelineExport,
  timelineVerify,
  connectionRevoke,
  connections,
  tokenNew,
  tokenRevoke,
  tokens,
  sessionEnd,
  sessions,
  people,
  personInvite,
  person,
  personRemove,
  settings,
  settingsOrganization,
  settingsProfile,
  settingsSwitch,
  workspaceEdit,
  workspaceNew,
  controls,
];
