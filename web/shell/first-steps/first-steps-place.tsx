import { Skeleton } from '#web/ui/skeleton.tsx'
import { areOver } from './first-steps-memory.ts'

/** Holds open as much of the page as the first steps take, so that nothing below jumps when they arrive. */
export function FirstStepsPlace({ personId }: { personId: string | undefined }) {
  if (areOver(personId)) return null
  return <Skeleton className="mb-9 h-[266px] max-[1100px]:h-[505px]" />
}
