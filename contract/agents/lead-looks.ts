import { type AgentClass, defaultAvatar, defaultThemeColor } from './agent-words.ts'
import type { AgentConfig } from './agents.ts'

/** A Lead always has an avatar and a colour (seed 001 §3), its own or the usual ones; other classes have none. */
export function withLeadLooks<Config extends Pick<AgentConfig, 'avatar' | 'theme_color'>>(
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
