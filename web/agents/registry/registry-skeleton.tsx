import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'

export const wideGrid = 'grid grid-cols-3 gap-4 max-[1180px]:grid-cols-2 phone:grid-cols-1'
export const narrowGrid = 'grid grid-cols-1 gap-4 @min-[620px]:grid-cols-2'

export function RegistrySkeleton({ grid }: { grid: string }) {
  return (
    <SkeletonGroup label="Loading agents" className={grid}>
      {['one', 'two', 'three', 'four', 'five', 'six'].map((card) => (
        <div key={card} className="flex h-60 flex-col gap-3 rounded-lg border border-border bg-card p-4">
          <div className="flex gap-3">
            <Skeleton className="size-[42px] rounded-full" />
            <div className="flex-1">
              <Skeleton className="h-5 w-1/2" />
              <Skeleton className="mt-2 h-4 w-2/5" />
            </div>
          </div>
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="mt-2 h-8 w-3/4" />
          <Skeleton className="mt-auto h-7 w-32" />
        </div>
      ))}
    </SkeletonGroup>
  )
}
