/** The same for dunning, whose records belong to the organization. */

import { getDunningControls } from './operations/get.ts';
import { updateDunningControls } from './operations/update.ts';

export const operations = [getDunningControls, updateDunningControls];
