import { type AgentClass, defaultAvatar, defaultThemeColor } from './agent-constants.ts'
import type { AgentConfig } from './agents.ts'

export function withLeadAppearance<Config extends Pick<AgentConfig, 'avatar' | 'theme_color'>>(
  agentClass: AgentClass,
  config: Config,
): Config {
  if (agentClass !== 'Lead' || (config.avatar?.trim() && config.theme_color)) return config
  return {
    ...config,
    avatar: config.avatar?.trim() || defaultAvatar,
    theme_color: config.theme_color || defaultThemeColor,
  }
}
