import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

/** One block in the shape of the expected content; set its size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'block animate-shimmer rounded-[5px] bg-muted bg-linear-90 from-muted via-secondary to-muted bg-size-[220%_100%]',
        className,
      )}
    />
  )
}

/** Appears after 200 ms, so that fast responses don't flicker, and is announced after a second. */
export function SkeletonGroup({
  children,
  label = 'Loading...',
  className,
}: {
  children: ReactNode
  label?: string | undefined
  className?: string
}) {
  return (
    <div role="status" data-chrome className={classNames('animate-late', className)}>
      <span className="sr-only animate-announce">{label}</span>
      {children}
    </div>
  )
}

interface SkeletonRowsProps {
  count?: number
  /** The shape of each block. */
  rowClassName: string
  label?: string | undefined
  className?: string
}

/** Blocks of one shape, stacked unless `className` arranges them. */
export function SkeletonRows({ count = 1, rowClassName, className = 'flex flex-col gap-3', label }: SkeletonRowsProps) {
  return (
    <SkeletonGroup label={label} className={className}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are identical
        <Skeleton key={row} className={rowClassName} />
      ))}
    </SkeletonGroup>
  )
}
