/** The person signed in. */

import { me } from './operations/me.ts';
import { listOrganizations } from './operations/organizations-list.ts';
import { updateProfile } from './operations/profile-update.ts';

export const operations = [me, updateProfile, listOrganizations];
