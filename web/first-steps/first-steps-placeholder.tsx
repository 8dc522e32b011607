import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'

export function FirstStepsPlaceholder({ personId }: { personId: string | undefined }) {
  if (areFirstStepsOver(personId)) return null
  return <Skeleton className="mb-9 h-[266px] max-[1100px]:h-[505px]" />
}

/** Remembers that first steps are finished, so that no space is reserved for them while they load. */
const firstStepsKey = 'keeper-first-steps-over'

export function areFirstStepsOver(personId: string | undefined): boolean {
  return readSetting(firstStepsKey) === personId
}

export function rememberFirstStepsOver(personId: string, isOver: boolean): void {
  writeSetting(firstStepsKey, isOver ? personId : null)
}
