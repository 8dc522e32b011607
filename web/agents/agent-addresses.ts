export const registryPath = '/studio/agents'
export const studioPath = '/studio/kip'
export const logsPath = '/studio/kip/logs'

export const newAgentPath = `${registryPath}?tab=agent`
export const getEditPath = (agentId: string) => `${registryPath}?tab=agent&agentId=${encodeURIComponent(agentId)}`
export const getRunPath = (runId: string) => `${logsPath}?run=${encodeURIComponent(runId)}`
export const getRunBoardPath = (runId: string) => `/studio/board-studio?runId=${encodeURIComponent(runId)}`
export const getWorkspacePath = (agentId: string) => `/studio/agents/${encodeURIComponent(agentId)}`
export const getChatPath = (slug: string) => `/${slug}`
export const getSessionPath = (slug: string, sessionId: string) =>
  `${getChatPath(slug)}?sessionId=${encodeURIComponent(sessionId)}`
export const getVersionPath = (agentId: string, version: number) => `${getEditPath(agentId)}&version=${version}`
