/** The organization and its sets of books. */

import { createWorkspace } from './operations/create.ts';
import { listWorkspaces } from './operations/list.ts';
import { updateOrganization } from './operations/organization-update.ts';
import { updateWorkspace } from './operations/update.ts';

export const operations = [listWorkspaces, createWorkspace, updateWorkspace, updateOrganization];
