/** Whether a draft is work the server does not have. What somebody asked it, such as the last line for the platform agent, it has. */
export const isUnsent = ({ key }: { key: string }): boolean => !key.startsWith('asked/')
