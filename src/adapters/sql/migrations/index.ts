import type { Migration } from 'kysely'
import * as initial from './0001-initial.js'
import * as tasks from './0002-tasks.js'
import * as homeInsights from './0003-home-insights.js'
import * as diary from './0004-diary.js'
import * as idempotencyHolder from './0006-idempotency-holder.js'
import * as requests from './0007-requests.js'
import * as models from './0008-models.js'
import * as claimedAt from './0009-claimed-at.js'
import * as sharedPictures from './0010-shared-pictures.js'
import * as callIds from './0011-call-ids.js'
import * as holders from './0012-holders.js'
import * as settings from './0013-settings.js'
import * as holderModels from './0014-holder-models.js'
import * as shares from './0015-shares.js'
import * as spending from './0016-spending.js'
import * as deleters from './0017-deleters.js'
import * as logLines from './0020-log-lines.js'
import * as traceparent from './0021-traceparent.js'
import * as faults from './0022-faults.js'
import * as usageDays from './0023-usage-days.js'
import * as growth from './0024-growth.js'
import * as spendingMonths from './0025-spending-months.js'
import * as logIds from './0026-log-ids.js'

/** A change of the tables. */
export interface SchemaStep extends Migration {
  /**
   * True for a contract step: only programs that know it can use the tables after it. Without it the step is an expand step,
   * and the programs that were there before go on.
   */
  readonly isContract?: true
}

/** Steps by name, in the order of their names. */
export type SchemaSteps = Readonly<Record<string, SchemaStep>>

/** All steps. A name that has shipped is never changed. */
export const migrations: SchemaSteps = {
  '0001-initial': initial,
  '0002-tasks': tasks,
  '0003-home-insights': homeInsights,
  '0004-diary': diary,
  '0006-idempotency-holder': idempotencyHolder,
  '0007-requests': requests,
  '0008-models': models,
  '0009-claimed-at': claimedAt,
  '0010-shared-pictures': sharedPictures,
  '0011-call-ids': callIds,
  '0012-holders': holders,
  '0013-settings': settings,
  '0014-holder-models': holderModels,
  '0015-shares': shares,
  '0016-spending': spending,
  '0017-deleters': deleters,
  '0020-log-lines': logLines,
  '0021-traceparent': traceparent,
  '0022-faults': faults,
  '0023-usage-days': usageDays,
  '0024-growth': growth,
  '0025-spending-months': spendingMonths,
  '0026-log-ids': logIds,
}
