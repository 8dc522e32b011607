import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { areFirstStepsOver } from './first-steps-memory.ts'

export function FirstStepsPlaceholder({ personId }: { personId: string | undefined }) {
  if (areFirstStepsOver(personId)) return null
  return <Skeleton className="mb-9 h-[266px] max-[1100px]:h-[505px]" />
}
