export const workspaces = {};
