import { Skeleton } from '#web/ui/skeleton.tsx'
import { areOver } from './first-steps-memory.ts'

/** Reserves the height of the first steps, to prevent layout shift. */
export function FirstStepsPlace({ personId }: { personId: string | undefined }) {
  if (areOver(personId)) return null
  return <Skeleton className="mb-9 h-[266px] max-[1100px]:h-[505px]" />
}
