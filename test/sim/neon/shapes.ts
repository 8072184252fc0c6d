import type { Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import type { NeonBranch, NeonDatabase, NeonEndpoint, NeonOperation, NeonProject, NeonRole } from './state.ts';

export function branchShape(scene: Scene, project: NeonProject, branch: NeonBranch): Json {
  const ready = branch.readyAt <= scene.now;
  return {
    id: branch.id,
    project_id: project.id,
    ...(branch.parentId === undefined ? {} : { parent_id: branch.parentId, parent_lsn: '0/1E88380', parent_timestamp: iso(branch.createdAt) }),
    name: branch.name,
    current_state: ready ? 'ready' : 'init',
    ...(ready ? {} : { pending_state: 'ready' }),
    state_changed_at: iso(ready ? branch.readyAt : branch.createdAt),
    logical_size: 30_785_536,
    creation_source: 'console',
    primary: branch.isDefault,
    default: branch.isDefault,
    protected: branch.protected,
    cpu_used_sec: 0,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    created_at: iso(branch.createdAt),
    updated_at: iso(branch.updatedAt),
    init_source: 'parent-data',
  };
}

export function endpointShape(scene: Scene, project: NeonProject, branch: NeonBranch, endpoint: NeonEndpoint): Json {
  const ready = branch.readyAt <= scene.now;
  return {
    host: hostOf(project, endpoint),
    id: endpoint.id,
    project_id: project.id,
    branch_id: branch.id,
    region_id: project.region,
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 0.25,
    type: endpoint.type,
    current_state: ready ? 'active' : 'init',
    ...(ready ? {} : { pending_state: 'active' }),
    settings: {},
    pooler_enabled: false,
    pooler_mode: 'transaction',
    disabled: false,
    passwordless_access: true,
    creation_source: 'console',
    created_at: iso(endpoint.createdAt),
    updated_at: iso(endpoint.createdAt),
    proxy_host: `${project.region.replace('aws-', '')}.aws.neon.tech`,
    suspend_timeout_seconds: 0,
    provisioner: 'k8s-neonvm',
  };
}

export function databaseShape(branch: NeonBranch, database: NeonDatabase): Json {
  return {
    id: database.id,
    branch_id: branch.id,
    name: database.name,
    owner_name: database.owner,
    created_at: iso(database.createdAt),
    updated_at: iso(database.createdAt),
  };
}

/** The password is shown where the branch is created and nowhere else. */
export function roleShape(branch: NeonBranch, role: NeonRole, withPassword: boolean): Json {
  return {
    branch_id: branch.id,
    name: role.name,
    ...(withPassword ? { password: role.password } : {}),
    protected: false,
    created_at: iso(role.createdAt),
    updated_at: iso(role.createdAt),
  };
}

export function operationShape(scene: Scene, project: NeonProject, operation: NeonOperation): Json {
  const done = operation.doneAt <= scene.now;
  return {
    id: operation.id,
    project_id: project.id,
    branch_id: operation.branchId,
    ...(operation.endpointId === undefined ? {} : { endpoint_id: operation.endpointId }),
    action: operation.action,
    status: done ? 'finished' : 'running',
    failures_count: 0,
    created_at: iso(operation.createdAt),
    updated_at: iso(done ? operation.doneAt : operation.createdAt),
    total_duration_ms: done ? operation.doneAt - operation.createdAt : 0,
  };
}

export function projectShape(project: NeonProject): Json {
  const created = iso(project.createdAt);
  return {
    data_storage_bytes_hour: 0,
    data_transfer_bytes: 0,
    written_data_bytes: 0,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    cpu_used_sec: 0,
    id: project.id,
    platform_id: 'aws',
    region_id: project.region,
    name: project.name,
    provisioner: 'k8s-neonvm',
    pg_version: 17,
    proxy_host: `${project.region.replace('aws-', '')}.aws.neon.tech`,
    branch_logical_size_limit: 512,
    branch_logical_size_limit_bytes: 536_870_912,
    store_passwords: true,
    creation_source: 'console',
    history_retention_seconds: 86_400,
    created_at: created,
    updated_at: created,
    consumption_period_start: created,
    consumption_period_end: iso(project.createdAt + 30 * 86_400_000),
    owner_id: 'org-broad-sun-12345678',
  };
}

function hostOf(project: NeonProject, endpoint: NeonEndpoint, pooled = false): string {
  return `${endpoint.id}${pooled ? '-pooler' : ''}.${project.region.replace('aws-', '')}.aws.neon.tech`;
}

/** The connection string of one role to one database over one endpoint, password included. */
export function connectionUri(project: NeonProject, endpoint: NeonEndpoint, role: NeonRole, database: string, pooled = false): string {
  const host = hostOf(project, endpoint, pooled);
  return `postgresql://${encodeURIComponent(role.name)}:${role.password}@${host}/${encodeURIComponent(database)}?sslmode=require`;
}

export function connectionDetails(project: NeonProject, branch: NeonBranch, endpoint: NeonEndpoint): Json[] {
  return branch.databases.flatMap((database) => {
    const role = branch.roles.find((candidate) => candidate.name === database.owner);
    if (role === undefined) return [];
    return [
      {
        connection_uri: connectionUri(project, endpoint, role, database.name),
        connection_parameters: {
          database: database.name,
          password: role.password,
          role: role.name,
          host: hostOf(project, endpoint),
          pooler_host: hostOf(project, endpoint, true),
        },
      },
    ];
  });
}
