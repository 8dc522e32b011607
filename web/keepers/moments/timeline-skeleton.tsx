import { classNames } from '#web/ui/hooks/class-names.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { momentRowClasses } from './moment-body.tsx'

/** A day and its first moments. */
export function TimelineSkeleton() {
  return (
    <SkeletonGroup>
      <Skeleton className="mt-3 mb-3.5 h-[1.875rem] w-32" />
      {['w-full', 'w-2/3', 'w-5/6'].map((width) => (
        <div key={width} className={classNames(momentRowClasses, 'h-[84px]')}>
          <Skeleton className="mt-1 h-5 w-10" />
          <span className="mx-auto h-full w-px bg-border" />
          <div className="max-w-[38rem]">
            <Skeleton className={classNames('mt-1 h-5', width)} />
            <Skeleton className="mt-3 h-5 w-24" />
          </div>
        </div>
      ))}
    </SkeletonGroup>
  )
}
