export { BackupUnusable } from './archive.ts';
export { type BackupReport, backup } from './backup.ts';
export { type RestoreReport, restore } from './restore.ts';
