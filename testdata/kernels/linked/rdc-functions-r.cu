__device__ __noinline__ float before(const float*p,int i){ float s=0; for(int k=0;k<i;k++) s+=p[k]*s; return s;}
__global__ void k1(float*p,int n){ p[threadIdx.x]=before(p,n); }
__device__ __noinline__ float mid(const float*p,int i){ float a[16]; for(int k=0;k<16;k++) a[k]=p[k]; return a[i&15]+before(p,i);}
__global__ void k2(float*p,int n){ p[threadIdx.x]=mid(p,n)+before(p,n); }
__device__ __noinline__ float after(const float*p,int i){ return p[i]*2; }
