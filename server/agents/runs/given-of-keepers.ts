import type { ToolCall } from '#contract/agents/tools.ts'
import type { AgentAtWork } from './agent-at-work.ts'

/**
 * Whether the models of a run may have been shown anything of a keeper: put in by a scope, found or said by one of the
 * keeper's tools, told by another agent of the run, or said earlier in its chat. Where that cannot be known, they may.
 * What a person's own tool server returned counts as well, except for what is sent to that `server` itself.
 */
export async function wasGivenOfKeepers(
  { services, run }: Pick<AgentAtWork, 'services' | 'run'>,
  server?: string,
): Promise<boolean> {
  const isOfKeepers = ({ name, server: from }: Pick<ToolCall, 'name' | 'server'>) =>
    (from?.personal && from.name !== server) ||
    // Of two tools of one name the second has a number.
    services.keeperMemory.tools.some((tool) => tool.name === name.replace(/_\d+$/, ''))
  // What operators wrote for a scope is of no keeper.
  const wasShown = run.steps.some(({ memory }) => memory.some(({ entity }) => entity !== 'context'))
  if (wasShown || run.tools.some(isOfKeepers)) return true
  if (run.sessionId === null) return false
  const answers = await services.db
    .selectFrom('messages')
    .leftJoin('runs', 'runs.id', 'messages.run_id')
    .select(['messages.run_id', 'runs.sources', 'runs.tools'])
    .where('messages.session_id', '=', run.sessionId)
    .where('messages.sender', '=', 'agent')
    .execute()
  // A run that was cut off, or is not there any more, does not say what it was given.
  return answers.some(
    ({ run_id, sources, tools }) =>
      run_id !== run.id && (sources === null || sources.length > 0 || (tools ?? []).some(isOfKeepers)),
  )
}
