import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { call } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { type AgentFormValues, bodyFrom } from '../form/agent-form-values.ts'
import { reasonText } from '../runs/reason-text.ts'
import { goldenQuestionsQuery, useGoldenRun, useKeepGoldenRun } from './golden-queries.ts'
import { GoldenRunView } from './golden-run-view.tsx'
import { touchesTheModel } from './touches-the-model.ts'

type Save = (values: AgentFormValues, goldenRunId?: string) => Promise<void>

interface Waiting {
  agent: Agent
  values: AgentFormValues
  count: number
}

/** Between Update Agent and saving: an agent with golden questions may be asked them first. */
export function useGoldenGate(agent: Agent | null, save: Save) {
  const queries = useQueryClient()
  const [waiting, setWaiting] = useState<Waiting>()

  async function saveOrAsk(values: AgentFormValues): Promise<void> {
    const count = agent && touchesTheModel(agent, bodyFrom(values, agent.config)) ? await countOf(agent) : 0
    if (agent && count > 0) setWaiting({ agent, values, count })
    else await save(values)
  }

  /** Asked anew: one may have been added in a chat. When they cannot be had, saving goes on without them. */
  async function countOf({ id }: Agent): Promise<number> {
    const questions = await queries
      .fetchQuery({ ...goldenQuestionsQuery(id), retry: false, staleTime: 5000 })
      .catch(() => [])
    return questions.length
  }

  const gate = waiting && <GoldenGate {...waiting} save={save} onClose={() => setWaiting(undefined)} />
  return { saveOrAsk, gate }
}

interface GoldenGateProps extends Waiting {
  save: Save
  onClose: () => void
}

function GoldenGate({ agent, values, count, save, onClose }: GoldenGateProps) {
  const keep = useKeepGoldenRun(agent.id)
  const [goldenRunId, setGoldenRunId] = useState<string>()
  const [busy, setBusy] = useState<'starting' | 'saving'>()
  const [problem, setProblem] = useState<string>()

  async function start() {
    setBusy('starting')
    setProblem(undefined)
    try {
      const changes = { id: agent.id, ...bodyFrom(values, agent.config) }
      const run = await call(goldenQuestions.run, { params: { agentId: agent.id }, body: { changes } })
      keep(run)
      setGoldenRunId(run.id)
    } catch (reason) {
      setProblem(reasonText(reason))
    } finally {
      setBusy(undefined)
    }
  }

  async function update(withRun: string | undefined) {
    setBusy('saving')
    await save(values, withRun)
    // Whatever hindered it stands in the form.
    onClose()
  }

  const questions = count === 1 ? 'golden question' : `${count} golden questions`
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && busy !== 'saving' && onClose()}
      size={goldenRunId ? 'wide' : 'large'}
      title={goldenRunId ? 'The golden questions, with these changes' : 'Ask the golden questions first?'}
      description={
        goldenRunId
          ? undefined
          : `${agent.name} answers ${count === 1 ? 'one question' : `${count} questions`} it is held to. Nothing is saved by asking.`
      }
      footer={
        goldenRunId ? (
          <Verdict
            agentId={agent.id}
            goldenRunId={goldenRunId}
            saving={busy === 'saving'}
            onBack={onClose}
            onUpdate={(ended) => update(ended ? goldenRunId : undefined)}
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
              onClick={() => update(undefined)}
            >
              Update without
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
      {goldenRunId && <Comparison agentId={agent.id} goldenRunId={goldenRunId} />}
    </Dialog>
  )
}

function Comparison({ agentId, goldenRunId }: { agentId: string; goldenRunId: string }) {
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

interface VerdictProps {
  agentId: string
  goldenRunId: string
  saving: boolean
  onBack: () => void
  /** `ended`: every question was asked, so the run says something about the new version. */
  onUpdate: (ended: boolean) => void
}

function Verdict({ agentId, goldenRunId, saving, onBack, onUpdate }: VerdictProps) {
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
