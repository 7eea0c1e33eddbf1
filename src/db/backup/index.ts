export { BackupUnusable } from './archive.ts';
export { backup } from './backup.ts';
export { restore } from './restore.ts';
