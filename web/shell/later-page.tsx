import type { SpotName } from '#web/ui/drawings/spot.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export interface LaterPageProps {
  title: string
  /** What this place is for, once there is something in it. */
  children: string
  drawing?: SpotName
}

/** A place that has its address and its name already, and honestly nothing else. */
export function LaterPage({ title, children, drawing = 'drawer' }: LaterPageProps) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyPanel drawing={drawing} title="There is nothing here yet">
        {children}
      </EmptyPanel>
    </>
  )
}
