export const registryAddress = '/studio/agents'
export const studioAddress = '/studio/kip'
export const logsAddress = '/studio/kip/logs'

export const newAgentAddress = `${registryAddress}?tab=agent`
export const editAddress = (agentId: string) => `${registryAddress}?tab=agent&agentId=${encodeURIComponent(agentId)}`
export const runAddress = (runId: string) => `${logsAddress}?run=${encodeURIComponent(runId)}`
/** A run with all its agents as a board. */
export const runBoardAddress = (runId: string) => `/studio/board-studio?runId=${encodeURIComponent(runId)}`
export const workspaceAddress = (agentId: string) => `/studio/agents/${encodeURIComponent(agentId)}`
export const chatAddress = (slug: string) => `/${slug}`
export const sessionAddress = (slug: string, sessionId: string) =>
  `${chatAddress(slug)}?sessionId=${encodeURIComponent(sessionId)}`
export const versionAddress = (agentId: string, version: number) => `${editAddress(agentId)}&version=${version}`
