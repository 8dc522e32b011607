import { ChartColumn } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import type { Permissions } from './usage-queries.ts'

const UsageDialog = lazy(() => import('./usage-dialog.tsx'))

export function YourUsageButton({ permissions }: { permissions: Permissions }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="plain" icon={<ChartColumn aria-hidden size={14} />} onClick={() => setOpen(true)}>
        Your usage
      </Button>
      {open && (
        <Suspense>
          <UsageDialog scope="mine" permissions={permissions} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
