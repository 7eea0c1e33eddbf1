/** The account: what people do in the console about people, connections and what workspaces let happen. */

import { catalogueOf } from '../core/operation.ts';
import { operations as connections } from './connections/index.ts';
import { operations as controls } from './controls/index.ts';
import { operations as dunningControls } from './dunning-controls/index.ts';
import { operations as me } from './me/index.ts';
import { operations as people } from './people/index.ts';
import { operations as sessions } from './sessions/index.ts';
import { operations as tokens } from './tokens/index.ts';
import { operations as workspaces } from './workspaces/index.ts';

export const account = catalogueOf([
  ...me,
  ...people,
  ...connections,
  ...tokens,
  ...sessions,
  ...workspaces,
  ...dunningControls,
  ...controls,
]);
