/** Names of the jobs of the engine, for those that queue them. */

/** Plans the day and makes up for missed ones: payload `{ organizationId }`. */
export const DAILY_TASK = 'dunning_daily_run';
/** Plans what is left of today: payload `{ organizationId, chargeIds?, ruleId? }`; without both, for all charges. */
export const PLAN_TASK = 'dunning_plan_steps';
/** Runs what is due: payload `{ organizationId }`. */
export const RUN_TASK = 'dunning_run_steps';

/** Charges of one planning job. */
export const PLAN_MAX = 1_000;
/** Takes the charges of an archived rule off it: payload `{ organizationId, ruleId }`. */
export const RETIRE_TASK = 'dunning_retire_rule';
