import { Skeleton, SkeletonGroup } from './skeleton.tsx'

/** A head and two rows: more would be taller than a short list. */
export const TableSkeleton = () => (
  <SkeletonGroup>
    <div className="flex h-9 items-center border-b border-border px-4">
      <Skeleton className="h-3 w-24" />
    </div>
    {['first', 'second'].map((row) => (
      <div key={row} className="flex h-[3.25rem] items-center gap-3 border-b border-hairline px-4 last:border-b-0">
        <Skeleton className="size-[1.625rem] rounded-full" />
        <Skeleton className="h-3.5 w-44" />
      </div>
    ))}
  </SkeletonGroup>
)
