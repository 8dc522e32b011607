export const agentClasses = ['Standard', 'Coordinator', 'Lead', 'Persona'] as const
export type AgentClass = (typeof agentClasses)[number]
export const agentStatuses = ['ready', 'in-progress', 'error'] as const
export type AgentStatus = (typeof agentStatuses)[number]
export const visibilities = ['private', 'public', 'shared'] as const
export type Visibility = (typeof visibilities)[number]
export const contextScopes = ['', 'user_input', 'keeper', 'codebase', 'platform_wide', 'system'] as const
export type ContextScope = (typeof contextScopes)[number]

export const defaultThemeColor = '#3b82f6'
export const defaultAvatar = '🤖'
export const logPageSize = 20
export const inputPreviewLength = 100
