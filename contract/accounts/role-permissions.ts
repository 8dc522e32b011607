import type { Permission } from '../endpoint.ts'
import type { PlatformRole } from './accounts.ts'

interface RoleDescription {
  /** What Keeper enforces today. */
  implemented: readonly Permission[]
  /** What the role is meant to have once the thing it guards exists. */
  needed: readonly Permission[]
  description: string
}

/** The one table of platform roles: the server grants from it and the Role Details tab is drawn from it (seed 002 §6). */
export const rolePermissions: Record<PlatformRole, RoleDescription> = {
  'super-admin': {
    description: 'Full access to the platform.',
    implemented: [
      'access_admin_pages',
      'manage_platform_roles',
      'manage_domains',
      'manage_users',
      'view_analytics',
      'manage_api_keys',
      'system_configuration',
      'view_logs',
    ],
    needed: ['manage_domains', 'manage_users', 'view_analytics', 'manage_api_keys', 'system_configuration'],
  },
  admin: {
    description: 'Runs domains and people day by day.',
    implemented: ['access_admin_pages', 'manage_domains', 'view_analytics', 'manage_users'],
    needed: ['manage_domains', 'view_analytics', 'manage_users', 'content_moderation'],
  },
  support: {
    description: 'Helps people with their accounts.',
    implemented: ['view_logs'],
    needed: ['view_user_data', 'assist_users', 'view_logs', 'basic_analytics'],
  },
  moderator: {
    description: 'Looks after what is public.',
    implemented: [],
    needed: ['moderate_content', 'review_reports', 'manage_flags', 'view_content_analytics'],
  },
  analyst: {
    description: 'Reads figures and reports.',
    implemented: ['view_analytics'],
    needed: ['view_analytics', 'export_data', 'view_reports', 'read_only_access'],
  },
  developer: {
    description: 'Works on the platform itself.',
    implemented: ['view_logs'],
    needed: ['api_access', 'view_logs', 'debug_access', 'technical_tools'],
  },
  viewer: {
    description: 'Looks, and changes nothing.',
    implemented: [],
    needed: ['read_only_access', 'view_public_data', 'basic_reports'],
  },
}

export function permissionsOf(roles: readonly PlatformRole[]): Set<Permission> {
  return new Set(roles.flatMap((role) => rolePermissions[role].implemented))
}
