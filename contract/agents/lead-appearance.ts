import { type AgentClass, defaultAvatar, defaultThemeColor } from './agent-constants.ts'
import type { AgentConfig } from './agents.ts'

type Appearance = Pick<AgentConfig, 'avatar' | 'theme_color'>

export const getLeadAppearance = ({ avatar, theme_color }: Appearance) => ({
  avatar: avatar?.trim() || defaultAvatar,
  theme_color: theme_color || defaultThemeColor,
})

export function withLeadAppearance<Config extends Appearance>(agentClass: AgentClass, config: Config): Config {
  if (agentClass !== 'Lead' || (config.avatar?.trim() && config.theme_color)) return config
  return { ...config, ...getLeadAppearance(config) }
}
