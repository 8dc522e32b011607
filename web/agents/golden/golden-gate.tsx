import { useState } from 'react'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toAgentBody } from '../form/agent-form-values.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { useCacheGoldenRun, useGoldenRun } from './golden-queries.ts'
import { GoldenRunView } from './golden-run-view.tsx'
import type { PendingSave, SaveAgent } from './use-golden-gate.tsx'

interface GoldenGateProps extends PendingSave {
  save: SaveAgent
  onClose: () => void
}

export default function GoldenGate({ agent, values, count, save, onClose }: GoldenGateProps) {
  const cacheRun = useCacheGoldenRun(agent.id)
  const [goldenRunId, setGoldenRunId] = useState<string>()
  const [busy, setBusy] = useState<'starting' | 'saving'>()
  const [problem, setProblem] = useState<string>()

  async function start() {
    setBusy('starting')
    setProblem(undefined)
    try {
      const changes = { id: agent.id, ...toAgentBody(values, agent.config) }
      const run = await call(goldenQuestions.run, { params: { agentId: agent.id }, body: { changes } })
      cacheRun(run)
      setGoldenRunId(run.id)
    } catch (reason) {
      setProblem(getReasonText(reason))
    } finally {
      setBusy(undefined)
    }
  }

  async function updateAgent(runId: string | undefined) {
    setBusy('saving')
    await save(runId)
    // Problems are shown in the form.
    onClose()
  }

  const questions = count === 1 ? 'golden question' : `${count} golden questions`
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && busy !== 'saving' && onClose()}
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
            saving={busy === 'saving'}
            onBack={onClose}
            onUpdate={(isComplete) => updateAgent(isComplete ? goldenRunId : undefined)}
          />
        ) : (
          <>
            <Button disabled={busy !== undefined} onClick={onClose}>
              Back
            </Button>
            <Button
              disabled={busy === 'starting'}
              busy={busy === 'saving'}
              busyLabel="Updating Agent..."
              onClick={() => updateAgent(undefined)}
            >
              Update without running them
            </Button>
            <Button
              variant="primary"
              disabled={busy === 'saving'}
              busy={busy === 'starting'}
              onClick={start}
              className="phone:h-auto! phone:min-h-10 phone:shrink! phone:py-2 phone:leading-tight! phone:whitespace-normal!"
            >
              Run the {questions} against these changes first
            </Button>
          </>
        )
      }
    >
      {problem && (
        <p role="alert" className="mb-3 text-ui font-medium text-destructive">
          {problem}
        </p>
      )}
      {goldenRunId && <GoldenComparison agentId={agent.id} goldenRunId={goldenRunId} />}
    </Dialog>
  )
}

function GoldenComparison({ agentId, goldenRunId }: { agentId: string; goldenRunId: string }) {
  const { run, error } = useGoldenRun(agentId, goldenRunId)
  return (
    <>
      {error && (
        <p role="alert" className="mb-3 text-ui text-destructive">
          {error.message}
        </p>
      )}
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
