import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import type { EchoRow } from './echo-view.ts'

export type WaitingEcho = Pick<
  EchoRow,
  | 'id'
  | 'keeper_id'
  | 'owner_id'
  | 'rev'
  | 'created_at'
  | 'armed_at'
  | 'trigger_at'
  | 'trigger_conditions'
  | 'trigger_timezone'
>

export function queryWaitingEchoes({ db }: Services, keeperId: string | null) {
  const waiting = db
    .selectFrom('echoes')
    .innerJoin('keepers', 'keepers.id', 'echoes.keeper_id')
    .select([
      'echoes.id',
      'echoes.keeper_id',
      'echoes.owner_id',
      'echoes.rev',
      'echoes.created_at',
      'echoes.armed_at',
      'echoes.trigger_at',
      'echoes.trigger_conditions',
      'echoes.trigger_timezone',
    ])
    .where('echoes.ready_at', 'is', null)
    .where('echoes.delivered_at', 'is', null)
    .where('echoes.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
  return keeperId === null ? waiting : waiting.where('echoes.keeper_id', '=', keeperId)
}

/** Only if unchanged since it was read. Keeps the revision, so that an open editor sees no conflict. */
export async function markEchoReady(
  services: Services,
  echo: WaitingEcho,
  reason: string,
  readyAt: number,
): Promise<boolean> {
  const { changes } = await services.db.write(createReadyWrite(services, echo, reason, readyAt))
  if (changes === 0) return false
  publishKeeperChanged(services, echo.owner_id, echo.keeper_id, 'echo')
  return true
}

export function createReadyWrite({ db }: Services, echo: WaitingEcho, reason: string, readyAt: number): Write {
  return db
    .updateTable('echoes')
    .set({ ready_at: readyAt, ready_because: reason })
    .where('id', '=', echo.id)
    .where('rev', '=', echo.rev)
    .where('ready_at', 'is', null)
    .where('delivered_at', 'is', null)
    .where('deleted_at', 'is', null)
}
