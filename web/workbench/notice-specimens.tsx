import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { showToast } from '../ui/overlays/show-toast.tsx'
import { Badge } from '../ui/panels/badge.tsx'
import { Banner } from '../ui/panels/banner.tsx'
import { EmptyPanel } from '../ui/panels/empty-panel.tsx'
import { ErrorPanel } from '../ui/panels/error-panel.tsx'
import { LoadingText } from '../ui/panels/loading-text.tsx'
import { ProgressBar } from '../ui/panels/progress-bar.tsx'
import { SavedLabel } from '../ui/panels/saved-label.tsx'
import { Skeleton, SkeletonGroup } from '../ui/panels/skeleton.tsx'
import { Specimen, SpecimenRow } from './specimen.tsx'

export function NoticeSpecimens() {
  const [saved, setSaved] = useState(false)
  const [failed, setFailed] = useState(true)
  return (
    <>
      <Specimen title="Badges and status">
        <SpecimenRow>
          <Badge tone="success" dot>
            ready
          </Badge>
          <Badge tone="info" dot>
            in-progress
          </Badge>
          <Badge tone="destructive" dot>
            error
          </Badge>
          <Badge tone="warning" dot>
            DNS Pending
          </Badge>
          <Badge tone="info" dot>
            DNS Ready
          </Badge>
          <Badge tone="success">Verified</Badge>
          <Badge tone="ribbon">Primary</Badge>
          <Badge tone="ribbon">Beta</Badge>
          <Badge>System</Badge>
          <Badge tone="outlined">SOLE</Badge>
          <Badge tone="outlined">CRM Timeline</Badge>
          <Badge mono>gpt-5-mini</Badge>
          <SavedLabel />
        </SpecimenRow>
      </Specimen>
      <Specimen title="Banners, 3 seconds">
        <div className="flex flex-col gap-2">
          {saved && (
            <Banner tone="success" onDismiss={() => setSaved(false)}>
              Profile updated successfully!
            </Banner>
          )}
          <Banner tone="warning">No active platform keys. People without their own key get mock responses.</Banner>
          <Banner tone="info">Showing built-in sample agents. The agent service could not be reached.</Banner>
          {failed && (
            <Banner tone="error" onDismiss={() => setFailed(false)} action={<Button size="small">Retry</Button>}>
              Failed to update role assignment
            </Banner>
          )}
          <SpecimenRow>
            <Button size="small" onClick={() => setSaved(true)}>
              Save
            </Button>
            <Button size="small" onClick={() => setFailed(true)}>
              Fail
            </Button>
          </SpecimenRow>
        </div>
      </Specimen>
      <Specimen title="Error panel">
        <ErrorPanel title="Failed to load keepers" onRetry={() => setFailed(true)} reason={{ requestId: '01JD0Q7V' }}>
          The server didn’t answer. Your entries are safe.
        </ErrorPanel>
      </Specimen>
      <Specimen title="Empty state">
        <EmptyPanel
          title="No agents found"
          action={
            <Button size="small" variant="primary">
              Create New Agent
            </Button>
          }
        >
          An agent reads, drafts or answers on your behalf. Start with one that does a single thing.
        </EmptyPanel>
      </Specimen>
      <Specimen title="Loading">
        <SkeletonGroup className="flex items-center gap-3">
          <Skeleton className="h-14 w-[42px]" />
          <span className="flex-1 space-y-2.5">
            <Skeleton className="h-3.5 w-[46%]" />
            <Skeleton className="h-2.5 w-[82%]" />
            <Skeleton className="h-2.5 w-[64%]" />
          </span>
        </SkeletonGroup>
        <LoadingText className="min-h-20!" />
        <ProgressBar label="Checks" value={5} max={8} valueText="5 of 8 checks" />
      </Specimen>
      <Specimen title="Toast and ribbon">
        <SpecimenRow>
          <Button
            variant="keep"
            onClick={() =>
              showToast(
                <>
                  Kept in <b>The house</b>
                </>,
                { dropsRibbon: true, onUndo: () => showToast('Not kept') },
              )
            }
          >
            Keep
          </Button>
          <Button onClick={() => showToast('Moved to The Harbour Year')}>Move</Button>
        </SpecimenRow>
      </Specimen>
    </>
  )
}
