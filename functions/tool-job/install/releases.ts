import type { Tool } from '../../../shared/stacks/tool-work.ts';

/** What is fetched where a line pins no version: the newest that Lockkeeper was tried with when it was released. */
export const usualVersions: Readonly<Record<Tool, string>> = { terraform: '1.11.4', tofu: '1.10.6', pulumi: '3.259.0' };

/** Addresses of the tools' own release sites. */
export interface ReleaseSites {
  readonly hashicorp: string;
  readonly github: string;
}

export const releaseSites: ReleaseSites = { hashicorp: 'https://releases.hashicorp.com', github: 'https://github.com' };

/** One release of a tool for Linux on x86. */
export interface Release {
  /** Name of the archive, as the list of checksums has it. */
  readonly name: string;
  readonly archive: string;
  readonly checksums: string;
  readonly packed: 'zip' | 'tar.gz';
}

export function releaseOf(tool: Tool, version: string, sites: ReleaseSites): Release {
  switch (tool) {
    case 'terraform':
      return below(`${sites.hashicorp}/terraform/${version}`, `terraform_${version}_linux_amd64.zip`, `terraform_${version}_SHA256SUMS`, 'zip');
    case 'tofu':
      return below(`${sites.github}/opentofu/opentofu/releases/download/v${version}`, `tofu_${version}_linux_amd64.zip`, `tofu_${version}_SHA256SUMS`, 'zip');
    case 'pulumi':
      return below(
        `${sites.github}/pulumi/pulumi/releases/download/v${version}`,
        `pulumi-v${version}-linux-x64.tar.gz`,
        `pulumi-${version}-checksums.txt`,
        'tar.gz',
      );
  }
}

const below = (folder: string, name: string, checksums: string, packed: Release['packed']): Release => ({
  name,
  archive: `${folder}/${name}`,
  checksums: `${folder}/${checksums}`,
  packed,
});
