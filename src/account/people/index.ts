/** The people of an organization and their roles. */

import { getPerson } from './operations/get.ts';
import { invitePerson } from './operations/invite.ts';
import { listPeople } from './operations/list.ts';
import { removePerson } from './operations/remove.ts';
import { updatePerson } from './operations/update.ts';

export const operations = [listPeople, getPerson, invitePerson, updatePerson, removePerson];
