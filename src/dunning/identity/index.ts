/** Who the connection is. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { me } from './operations/me.ts';

export const operations = [me];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/me',
    name: 'me',
    title: 'This connection',
    description: "The connection's identity: person, organization, scopes, token expiry.",
    mimeType: 'application/json',
    operation: 'dunning_me',
    ttlMs: 0,
  },
];
