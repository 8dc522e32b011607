import type { ReactNode } from 'react'

export function WritingFrame({
  gutter,
  margin,
  children,
}: {
  gutter: ReactNode
  margin?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid grid-cols-[120px_minmax(0,38rem)_250px] justify-center gap-8 max-[1180px]:grid-cols-[minmax(0,38rem)_220px] phone:block print:block">
      {gutter}
      <div className="min-w-0">{children}</div>
      {margin ?? <div className="phone:hidden" />}
    </div>
  )
}
