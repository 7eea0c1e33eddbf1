/** The account: what people do in the console about people, connections and what workspaces let happen. */

import { catalogueOf } from '../core/operation.ts';

export const account = catalogueOf([]);
