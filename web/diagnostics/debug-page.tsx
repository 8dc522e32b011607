import {
  CircleAlert,
  CircleCheck,
  ClipboardCheck,
  Copy,
  Eraser,
  Square,
  Stethoscope,
  TriangleAlert,
} from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { repairPermission } from '#contract/diagnostics/diagnostics.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { PageMain } from '#web/page/page-main.tsx'
import { Wordmark } from '#web/page/wordmark.tsx'
import { AnchorButton, Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { CheckList, DiagnosticsMetrics } from './check-list.tsx'
import { LiveLog } from './live-log.tsx'
import { Repairs } from './repairs.tsx'
import { getVerdict, type OverallStatus, summarize } from './report.ts'
import { allChecks, serverDownMessage } from './run-checks.ts'
import { type Diagnosis, useDiagnostics } from './use-diagnostics.ts'

const EmailStatus = lazyComponent(async () => (await import('./email-status.tsx')).EmailStatus)

const outcomeStyles: Record<OverallStatus, { tint: string; ink: string; Icon: typeof CircleCheck }> = {
  ALL_PASS: { tint: 'bg-success-soft', ink: 'text-success', Icon: CircleCheck },
  PARTIAL_PASS: { tint: 'bg-warning-soft', ink: 'text-warning', Icon: TriangleAlert },
  ALL_FAIL: { tint: 'bg-destructive-soft', ink: 'text-destructive', Icon: CircleAlert },
}

interface OutcomeBannerProps {
  diagnosis: Diagnosis
  signedIn: boolean
  onCopy: () => void
}

function OutcomeBanner({ diagnosis, signedIn, onCopy }: OutcomeBannerProps) {
  const { results, stopped, copyState } = diagnosis
  const { overallStatus } = summarize(results)
  const { tint, ink, Icon } = outcomeStyles[stopped && overallStatus === 'ALL_PASS' ? 'PARTIAL_PASS' : overallStatus]
  const { headline, notes } = getVerdict(results, { totalChecks: allChecks.length, signedIn, stopped })
  return (
    <div
      className={classNames(
        'mb-5 flex min-h-[2.75rem] flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md border border-transparent px-4 py-2 text-ui forced-colors:border-current',
        tint,
      )}
    >
      <Icon aria-hidden size={17} className={classNames('shrink-0', ink)} />
      <p className="min-w-0 flex-1 basis-56 wrap-break-word">
        <strong className="font-semibold">{headline}</strong> {notes}
      </p>
      {copyState === 'yes' ? (
        <span className="inline-flex h-7 items-center gap-1.5 px-2.5 text-small font-label phone:ms-4">
          <ClipboardCheck aria-hidden size={14} />
          Report copied
        </span>
      ) : (
        <Button
          variant="plain"
          size="small"
          className="phone:ms-4"
          icon={<Copy aria-hidden size={14} />}
          onClick={onCopy}
        >
          Copy report
        </Button>
      )}
    </div>
  )
}

/** Open to everyone and outside the app frame, because it has to work when other parts fail. */
export function DebugPage() {
  const { isLoading, isAuthenticated } = useAuth()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header data-chrome className="border-b border-border">
        <div className="mx-auto flex min-h-14 w-full max-w-page flex-wrap items-center gap-x-5 px-7 phone:px-4">
          <Wordmark />
          <span className="text-ui text-muted-foreground max-[420px]:hidden">Diagnostics</span>
          <nav aria-label="Main" className="ms-auto flex items-center gap-2">
            <AnchorButton href="/" variant="plain" size="small" className="phone:hidden">
              Home
            </AnchorButton>
            {isAuthenticated ? (
              <LinkButton to="/root" size="small">
                Root Dashboard
              </LinkButton>
            ) : (
              <AnchorButton href="/login?next=/debug" size="small">
                Login
              </AnchorButton>
            )}
          </nav>
        </div>
      </header>
      <PageMain>{isLoading ? <LoadingText /> : <Diagnostics />}</PageMain>
      <footer data-chrome className="mx-auto w-full max-w-page px-7 pb-7 text-small text-muted-foreground phone:px-4">
        Boards are drawn with{' '}
        <a href="https://reactflow.dev" target="_blank" rel="noopener noreferrer" className="underline">
          React Flow
        </a>
        . Thanks to its makers.
      </footer>
    </div>
  )
}

function Diagnostics() {
  const { user, access: sessionDetails, accessError: sessionError, refetchAccess: refetchSession } = useAuth()
  const { diagnosis, run, stop, clear, copyAgain } = useDiagnostics(user)
  const navigate = useNavigate()
  // The command palette starts the checks; a reload does not repeat them.
  const shouldRun = (useLocation().state as { run?: boolean } | null)?.run === true
  const runOnOpen = useEffectEvent(() => {
    navigate('.', { replace: true, state: null })
    void run()
  })
  useEffect(() => {
    if (shouldRun) runOnOpen()
  }, [shouldRun])
  const { phase, results, logs, currentCheck, criticalError, report, copyState } = diagnosis
  const isRunning = phase === 'running'
  const isFinished = phase === 'done' || phase === 'fatal'
  return (
    <>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1>Diagnostics</h1>
          <p className="mt-1 max-w-[80ch] text-muted-foreground">
            Checks the platform from this browser and copies a report you can send to your administrator.
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-3 phone:w-full phone:flex-col phone:*:w-full">
          {isRunning ? (
            <Button icon={<Square aria-hidden size={13} />} onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button icon={<Eraser aria-hidden size={15} />} onClick={clear} disabled={phase === 'idle'}>
              Clear results
            </Button>
          )}
          <Button
            variant="primary"
            size="large"
            icon={<Stethoscope aria-hidden size={18} />}
            busy={isRunning}
            busyLabel={`Check ${Math.min(results.length + 1, allChecks.length)} of ${allChecks.length}`}
            onClick={run}
          >
            Run all checks and copy report
          </Button>
        </div>
      </div>

      <p role="status" className="sr-only">
        {toAnnouncement(diagnosis, user !== null)}
      </p>
      {criticalError && (
        <Banner tone="error" className="mb-5">
          <h2 className="font-sans text-ui font-semibold text-destructive">Critical Error</h2>
          <p className="mt-0.5 wrap-anywhere">{criticalError}</p>
        </Banner>
      )}
      {isFinished && results.length > 0 && (
        <OutcomeBanner diagnosis={diagnosis} signedIn={user !== null} onCopy={copyAgain} />
      )}
      {copyState === 'failed' && report && (
        <div className="mb-5">
          <p role="alert" className="mb-2 text-ui font-semibold text-destructive">
            Failed to copy to clipboard
          </p>
          <TextArea
            label="Report to copy by hand"
            value={report}
            readOnly
            mono
            autoGrow={false}
            rows={10}
            onFocus={(event) => event.currentTarget.select()}
          />
        </div>
      )}
      {phase !== 'idle' && (
        <DiagnosticsMetrics results={results} pendingChecks={isRunning ? allChecks.slice(results.length) : []} />
      )}
      {phase === 'idle' ? (
        <DiagnosticsIntro signedIn={user !== null} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)] items-start gap-4 phone:grid-cols-1">
          <div className="min-w-0">
            <CheckList results={results} />
            {isRunning && (
              <p className="mt-2 px-4 text-small text-muted-foreground" aria-hidden>
                {currentCheck}…
              </p>
            )}
          </div>
          <LiveLog logs={logs} />
        </div>
      )}
      <Repairs
        signedIn={user !== null}
        permitted={user ? sessionDetails?.permissions.includes(repairPermission) : undefined}
        onRetryPermission={sessionError ? refetchSession : undefined}
        isServerDown={criticalError === serverDownMessage}
      />
      {user && sessionDetails?.permissions.includes(repairPermission) && (
        <EmailStatus isServerDown={criticalError === serverDownMessage} />
      )}
    </>
  )
}

function DiagnosticsIntro({ signedIn }: { signedIn: boolean }) {
  const availableCount = allChecks.filter(({ needsSignIn }) => signedIn || !needsSignIn).length
  return (
    <div className="max-w-[80ch] rounded-lg border border-border bg-card px-5 py-[18px] text-ui shadow-e1">
      <p>
        {signedIn
          ? `${availableCount} checks, one after the other, in about half a minute. They check the server, the database, the live events, Kip and each model provider.`
          : `${availableCount} checks that anyone can run. They check this browser, and whether the server answers and is ready. Sign in for the other ${allChecks.length - availableCount}.`}
      </p>
      <p className="mt-2 text-muted-foreground">
        The report lists addresses, states and times{signedIn ? ', and who you are' : ''}. It doesn’t include keys,
        tokens or anything you wrote.
        {signedIn && ' The provider tests and Kip make tiny real calls, which count toward your usage.'}
      </p>
    </div>
  )
}

/** The announcement for screen readers: the start, each failure and the result. */
function toAnnouncement({ phase, results, copyState, stopped }: Diagnosis, signedIn: boolean): string {
  if (phase === 'idle') return ''
  if (phase === 'running') {
    const failed = results.filter(({ outcome }) => outcome === 'failed').at(-1)
    return failed ? `${failed.name} failed: ${failed.message}` : `Running ${allChecks.length} checks`
  }
  const { headline, notes } = getVerdict(results, { totalChecks: allChecks.length, signedIn, stopped })
  const end = copyState === 'yes' ? 'Report copied.' : ''
  return `${headline} ${notes} ${end}`
}
