/** What a workspace of finance lets happen: calls that wait for a person, a second person, nothing destructive at all. */

import { getControls } from './operations/get.ts';
import { updateControls } from './operations/update.ts';

export const operations = [getControls, updateControls];
