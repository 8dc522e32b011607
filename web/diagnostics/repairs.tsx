import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { diagnostics, type Repair, repairPermission } from '#contract/diagnostics/diagnostics.ts'
import { call } from '#web/api/api.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'

const repairs = {
  database: {
    label: 'Fix database',
    endpoint: diagnostics.fixDatabase,
    title: 'Fix the database?',
    text: 'If migrations are pending, Keeper makes a backup and applies them. Then every table is checked. This can take a while on a large database. The repair is recorded in the audit log.',
  },
  kip: {
    label: 'Fix Kip provider',
    endpoint: diagnostics.fixKipProvider,
    title: 'Fix Kip’s provider?',
    text: 'The agents that come with Keeper get their provider and its defaults back. Their current settings stay in their version history. The repair is recorded in the audit log.',
  },
} as const
type RepairName = keyof typeof repairs

interface RepairsProps {
  signedIn: boolean
  permitted: boolean | undefined
  onRetryPermission: (() => unknown) | undefined
  isServerDown: boolean
}

export function Repairs({ signedIn, permitted, onRetryPermission, isServerDown }: RepairsProps) {
  const queryClient = useQueryClient()
  const [openRepair, setOpenRepair] = useState<RepairName | null>(null)
  const [finishedRepair, setFinishedRepair] = useState<{ label: string; repair: Repair } | null>(null)

  async function executeRepair(name: RepairName) {
    const { endpoint, label } = repairs[name]
    setFinishedRepair({ label, repair: await call(endpoint) })
    await queryClient.invalidateQueries({ queryKey: ['agents'] })
  }

  return (
    <section aria-labelledby="repairs" className="mt-8">
      <h2 id="repairs" className="text-h3">
        Repairs
      </h2>
      {!signedIn && (
        <p className="mt-1 text-ui text-muted-foreground">
          To run repairs, sign in with an account that has permission.
        </p>
      )}
      {signedIn && permitted === false && (
        <p className="mt-1 text-ui text-muted-foreground">
          Repairs need the permission <code className="font-mono text-code">{repairPermission}</code>. Ask a super-admin
          for a role that has it.
        </p>
      )}
      {signedIn && onRetryPermission && (
        <p className="mt-1 flex flex-wrap items-center gap-3 text-ui text-muted-foreground">
          Keeper couldn’t check whether you can make repairs.
          <RetryButton onClick={onRetryPermission} />
        </p>
      )}
      {permitted && (
        <>
          <p id="repairs-how" className="mt-1 text-ui text-muted-foreground">
            {isServerDown
              ? 'Repairs run on the server, which isn’t answering. Run the checks again when it does.'
              : 'Each repair asks first and reports what it did.'}
          </p>
          <div className="mt-3 flex flex-wrap gap-2">
            {(Object.keys(repairs) as RepairName[]).map((name) => (
              <Button
                key={name}
                disabled={isServerDown}
                aria-describedby="repairs-how"
                onClick={() => setOpenRepair(name)}
              >
                {repairs[name].label}
              </Button>
            ))}
          </div>
        </>
      )}
      {finishedRepair && (
        <Banner
          key={JSON.stringify(finishedRepair)}
          tone={finishedRepair.repair.errors.length > 0 ? 'error' : 'info'}
          className="mt-3"
          onDismiss={() => setFinishedRepair(null)}
        >
          <p className="font-semibold">{finishedRepair.label}</p>
          <ul>
            {finishedRepair.repair.errors.map(({ error }) => (
              <li key={error}>{error}</li>
            ))}
            {finishedRepair.repair.actions.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Banner>
      )}
      {openRepair && (
        <ConfirmDialog
          open
          onOpenChange={() => setOpenRepair(null)}
          title={repairs[openRepair].title}
          confirmLabel={repairs[openRepair].label}
          busyLabel="Fixing..."
          tone="primary"
          onConfirm={() => executeRepair(openRepair)}
        >
          {repairs[openRepair].text}
        </ConfirmDialog>
      )}
    </section>
  )
}
