/** Approvals and controls: the store that `invoke` works with, and the makers of the operations that read and set them. */

export { controlsGet, controlsUpdate } from './controls.ts';
export { approvalsGet, approvalsList } from './operations.ts';
export { approvalStore } from './store.ts';
