// Which columns of answers hold uids, by their names: those of the base tables and of groups by node.

const UID_COLUMN = /^(?:(?:first_|last_|min_|max_)?(?:uid|src|dst|other|node)|node_[12]|of)$/;

export const isUidColumn = (name: string): boolean => UID_COLUMN.test(name);
