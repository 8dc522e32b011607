import { useMutation } from '@tanstack/react-query'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { toAgentBody } from '../form/agent-form-values.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { useGoldenRun, useStartGoldenRun } from './golden-queries.ts'
import { GoldenRunView } from './golden-run-view.tsx'
import type { PendingSave, SaveAgent } from './use-golden-gate.tsx'

interface GoldenGateProps extends PendingSave {
  save: SaveAgent
  onClose: () => void
}

export default function GoldenGate({ agent, values, count, save, onClose }: GoldenGateProps) {
  const startRun = useStartGoldenRun(agent.id)
  const saveAgent = useMutation({
    mutationFn: (runId: string | undefined) => save(runId),
    // Problems are shown in the form.
    onSettled: onClose,
  })
  const goldenRunId = startRun.data?.id

  const questionsText = count === 1 ? 'golden question' : `${count} golden questions`
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !saveAgent.isPending && onClose()}
      size={goldenRunId ? 'wide' : 'large'}
      title={goldenRunId ? 'Golden questions with these changes' : 'Run the golden questions first?'}
      description={
        goldenRunId
          ? undefined
          : `${agent.name} answers ${count === 1 ? 'one question' : `${count} questions`}. Nothing is saved.`
      }
      footer={
        goldenRunId ? (
          <GoldenGateFooter
            agentId={agent.id}
            goldenRunId={goldenRunId}
            saving={saveAgent.isPending}
            onBack={onClose}
            onUpdate={(isComplete) => saveAgent.mutate(isComplete ? goldenRunId : undefined)}
          />
        ) : (
          <>
            <Button disabled={startRun.isPending || saveAgent.isPending} onClick={onClose}>
              Back
            </Button>
            <Button
              disabled={startRun.isPending}
              busy={saveAgent.isPending}
              busyLabel="Updating Agent..."
              onClick={() => saveAgent.mutate(undefined)}
            >
              Update without running them
            </Button>
            <Button
              variant="primary"
              disabled={saveAgent.isPending}
              busy={startRun.isPending}
              onClick={() => startRun.mutate({ changes: { id: agent.id, ...toAgentBody(values, agent.config) } })}
              className="phone:h-auto! phone:min-h-10 phone:shrink! phone:py-2 phone:leading-tight! phone:whitespace-normal!"
            >
              Run the {questionsText} against these changes first
            </Button>
          </>
        )
      }
    >
      <ErrorText className="mb-3">{startRun.error && getReasonText(startRun.error)}</ErrorText>
      {goldenRunId && <GoldenComparison agentId={agent.id} goldenRunId={goldenRunId} />}
    </Dialog>
  )
}

function GoldenComparison({ agentId, goldenRunId }: { agentId: string; goldenRunId: string }) {
  const { run, error } = useGoldenRun(agentId, goldenRunId)
  return (
    <>
      <ErrorText className="mb-3">{error?.message}</ErrorText>
      {run && <GoldenRunView agentId={agentId} run={run} />}
    </>
  )
}

interface GoldenGateFooterProps {
  agentId: string
  goldenRunId: string
  saving: boolean
  onBack: () => void
  /** `isComplete`: every question was answered, so the run describes the new version. */
  onUpdate: (isComplete: boolean) => void
}

function GoldenGateFooter({ agentId, goldenRunId, saving, onBack, onUpdate }: GoldenGateFooterProps) {
  const { run } = useGoldenRun(agentId, goldenRunId)
  return (
    <>
      <Button disabled={saving} onClick={onBack}>
        Back
      </Button>
      <Button
        variant="primary"
        disabled={run === undefined || run.status === 'running'}
        busy={saving}
        busyLabel="Updating Agent..."
        onClick={() => onUpdate(run?.status === 'done')}
      >
        Update Agent
      </Button>
    </>
  )
}
